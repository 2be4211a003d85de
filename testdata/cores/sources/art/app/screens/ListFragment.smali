.class public Lscreens/ListFragment;
.super Landroidx/fragment/app/Fragment;
.source "ListFragment.java"

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Landroidx/fragment/app/Fragment;-><init>()V
 return-void
.end method
