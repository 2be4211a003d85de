# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/TreeMap$TreeMapEntry;
.super Ljava/lang/Object;
.source "TreeMap.java"
.field public key:Ljava/lang/Object;
.field public value:Ljava/lang/Object;
.field public left:Ljava/util/TreeMap$TreeMapEntry;
.field public right:Ljava/util/TreeMap$TreeMapEntry;
.field public parent:Ljava/util/TreeMap$TreeMapEntry;
.field public color:Z

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
