.class public Ljava/util/ImmutableCollections$List12;
.super Ljava/lang/Object;
.field public e0:Ljava/lang/Object;
.field public e1:Ljava/lang/Object;
