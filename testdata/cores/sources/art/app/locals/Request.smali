.class public Llocals/Request;
.super Ljava/lang/Object;
.source "Request.java"
.field public body:[J

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
