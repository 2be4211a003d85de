.class public Lstatics/Entry;
.super Ljava/lang/Object;
.source "Entry.java"
.field public data:[J

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
