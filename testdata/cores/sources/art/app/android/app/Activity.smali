# Fields that Android's framework gives it, as far as rules look at them.
.class public Landroid/app/Activity;
.super Ljava/lang/Object;
.source "Activity.java"
.field mDestroyed:Z
.field mFinished:Z

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public performDestroy()V
 .locals 1
 .line 2
 const/4 v0, 0x1
 iput-boolean v0, p0, Landroid/app/Activity;->mFinished:Z
 iput-boolean v0, p0, Landroid/app/Activity;->mDestroyed:Z
 return-void
.end method
