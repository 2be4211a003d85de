# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/concurrent/ConcurrentHashMap;
.super Ljava/lang/Object;
.source "ConcurrentHashMap.java"
.field public table:[Ljava/util/concurrent/ConcurrentHashMap$Node;
.field public baseCount:J
.field public sizeCtl:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
