# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/HashMap;
.super Ljava/lang/Object;
.source "HashMap.java"
.field public table:[Ljava/util/HashMap$Node;
.field public size:I
.field public modCount:I
.field public threshold:I
.field public loadFactor:F

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
