.class public Ljava/util/Vector;
.super Ljava/lang/Object;
.field public elementCount:I
.field public elementData:[Ljava/lang/Object;
