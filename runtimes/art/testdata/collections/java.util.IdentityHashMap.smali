.class public Ljava/util/IdentityHashMap;
.super Ljava/lang/Object;
.field public size:I
.field public table:[Ljava/lang/Object;
