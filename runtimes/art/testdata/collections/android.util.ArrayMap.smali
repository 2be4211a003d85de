.class public Landroid/util/ArrayMap;
.super Ljava/lang/Object;
.field public mArray:[Ljava/lang/Object;
.field public mSize:I
