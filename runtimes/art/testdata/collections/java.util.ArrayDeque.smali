.class public Ljava/util/ArrayDeque;
.super Ljava/lang/Object;
.field public elements:[Ljava/lang/Object;
.field public head:I
.field public tail:I
