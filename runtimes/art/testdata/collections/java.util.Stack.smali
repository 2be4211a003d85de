.class public Ljava/util/Stack;
.super Ljava/util/Vector;
