.class public Ljava/util/EnumMap;
.super Ljava/lang/Object;
.field public keyUniverse:[Ljava/lang/Object;
.field public vals:[Ljava/lang/Object;
