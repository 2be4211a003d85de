# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/LinkedHashMap$LinkedHashMapEntry;
.super Ljava/util/HashMap$Node;
.source "LinkedHashMap.java"
.field public before:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
.field public after:Ljava/util/LinkedHashMap$LinkedHashMapEntry;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/util/HashMap$Node;-><init>()V
 return-void
.end method
