.class public Ljava/util/LinkedList;
.super Ljava/lang/Object;
.field public first:Ljava/lang/Object;
.field public last:Ljava/lang/Object;
.field public size:I
