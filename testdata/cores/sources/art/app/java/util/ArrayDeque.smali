# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/ArrayDeque;
.super Ljava/lang/Object;
.source "ArrayDeque.java"
.field public elements:[Ljava/lang/Object;
.field public head:I
.field public tail:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
