.class public Ljava/util/ImmutableCollections$ListN;
.super Ljava/lang/Object;
.field public elements:[Ljava/lang/Object;
