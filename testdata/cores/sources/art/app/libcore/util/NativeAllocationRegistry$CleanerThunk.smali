# Fields that Android gives it, as far as rules look at them.
.class public Llibcore/util/NativeAllocationRegistry$CleanerThunk;
.super Ljava/lang/Object;
.source "NativeAllocationRegistry.java"
.field public nativePtr:J
.field public this$0:Llibcore/util/NativeAllocationRegistry;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
