# Fields that androidx gives it, as far as rules look at them.
.class public Landroidx/fragment/app/Fragment;
.super Ljava/lang/Object;
.source "Fragment.java"
.field mFragmentManager:Ljava/lang/Object;
.field mCalled:Z

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public performAttach(Ljava/lang/Object;)V
 .locals 1
 .line 2
 const/4 v0, 0x1
 iput-boolean v0, p0, Landroidx/fragment/app/Fragment;->mCalled:Z
 iput-object p1, p0, Landroidx/fragment/app/Fragment;->mFragmentManager:Ljava/lang/Object;
 return-void
.end method
