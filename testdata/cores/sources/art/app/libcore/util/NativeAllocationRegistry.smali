# Fields that Android gives it, as far as rules look at them.
.class public Llibcore/util/NativeAllocationRegistry;
.super Ljava/lang/Object;
.source "NativeAllocationRegistry.java"
.field public size:J

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
