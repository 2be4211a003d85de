.class public Ljava/util/HashMap;
.super Ljava/lang/Object;
.field public size:I
.field public table:[Ljava/lang/Object;
