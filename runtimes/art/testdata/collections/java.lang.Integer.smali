.class public Ljava/lang/Integer;
.super Ljava/lang/Object;
.field public value:I
