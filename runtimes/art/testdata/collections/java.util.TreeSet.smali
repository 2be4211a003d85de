.class public Ljava/util/TreeSet;
.super Ljava/lang/Object;
.field public m:Ljava/lang/Object;
