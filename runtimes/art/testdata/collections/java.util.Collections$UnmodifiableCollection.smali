.class public Ljava/util/Collections$UnmodifiableCollection;
.super Ljava/lang/Object;
.field public c:Ljava/lang/Object;
