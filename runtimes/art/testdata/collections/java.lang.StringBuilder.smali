.class public Ljava/lang/StringBuilder;
.super Ljava/lang/Object;
.field public count:I
.field public value:[C
