.class public Ljava/util/PriorityQueue;
.super Ljava/lang/Object;
.field public queue:[Ljava/lang/Object;
.field public size:I
