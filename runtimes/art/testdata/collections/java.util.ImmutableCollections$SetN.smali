.class public Ljava/util/ImmutableCollections$SetN;
.super Ljava/lang/Object;
.field public elements:[Ljava/lang/Object;
.field public size:I
