.class public Ljava/util/HashSet;
.super Ljava/lang/Object;
.field public map:Ljava/lang/Object;
