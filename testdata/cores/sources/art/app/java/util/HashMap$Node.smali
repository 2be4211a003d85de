# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/HashMap$Node;
.super Ljava/lang/Object;
.source "HashMap.java"
.field public hash:I
.field public key:Ljava/lang/Object;
.field public value:Ljava/lang/Object;
.field public next:Ljava/util/HashMap$Node;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
