.class public Landroid/util/SparseArray;
.super Ljava/lang/Object;
.field public mKeys:[I
.field public mSize:I
.field public mValues:[Ljava/lang/Object;
