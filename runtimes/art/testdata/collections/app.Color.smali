.class public Lapp/Color;
.super Ljava/lang/Enum;
