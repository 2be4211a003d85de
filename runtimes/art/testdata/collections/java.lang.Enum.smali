.class public Ljava/lang/Enum;
.super Ljava/lang/Object;
.field public name:Ljava/lang/Object;
.field public ordinal:I
