# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/LinkedHashMap;
.super Ljava/util/HashMap;
.source "LinkedHashMap.java"
.field public head:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
.field public tail:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
.field public accessOrder:Z

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/util/HashMap;-><init>()V
 return-void
.end method
