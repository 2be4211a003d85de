# Fields that Android gives it, as far as rules look at them.
.class public Lsun/misc/Cleaner;
.super Ljava/lang/ref/PhantomReference;
.source "Cleaner.java"
.field public thunk:Ljava/lang/Object;
.field public next:Lsun/misc/Cleaner;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/ref/PhantomReference;-><init>()V
 return-void
.end method
