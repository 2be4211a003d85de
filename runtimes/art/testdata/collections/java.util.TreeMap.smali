.class public Ljava/util/TreeMap;
.super Ljava/lang/Object;
.field public root:Ljava/lang/Object;
.field public size:I
