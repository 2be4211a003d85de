.class public Ljava/util/ImmutableCollections$Map1;
.super Ljava/lang/Object;
.field public k0:Ljava/lang/Object;
.field public v0:Ljava/lang/Object;
