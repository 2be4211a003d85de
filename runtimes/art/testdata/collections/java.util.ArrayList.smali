.class public Ljava/util/ArrayList;
.super Ljava/lang/Object;
.field public elementData:[Ljava/lang/Object;
.field public size:I
