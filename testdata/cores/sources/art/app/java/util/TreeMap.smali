# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/TreeMap;
.super Ljava/lang/Object;
.source "TreeMap.java"
.field public root:Ljava/util/TreeMap$TreeMapEntry;
.field public size:I
.field public modCount:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
