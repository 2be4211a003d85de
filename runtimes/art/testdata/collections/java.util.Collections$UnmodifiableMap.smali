.class public Ljava/util/Collections$UnmodifiableMap;
.super Ljava/lang/Object;
.field public m:Ljava/lang/Object;
