.class public Lvalues/Base;
.super Ljava/lang/Object;
.source "Base.java"
.field public i:I
.field public text:Ljava/lang/String;
.field public first:J

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
