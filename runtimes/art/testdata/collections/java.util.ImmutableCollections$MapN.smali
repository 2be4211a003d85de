.class public Ljava/util/ImmutableCollections$MapN;
.super Ljava/lang/Object;
.field public size:I
.field public table:[Ljava/lang/Object;
