.class public Ljava/util/Arrays$ArrayList;
.super Ljava/lang/Object;
.field public a:[Ljava/lang/Object;
