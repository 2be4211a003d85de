# main(n) makes three activities: one lives, two are destroyed, of which a static list of
# listeners keeps one, with a table of n rows, and nothing the other. The same with
# fragments: one was detached, one lives, one was never attached.
.class public Lscreens/Screens;
.super Ljava/lang/Object;
.source "Screens.java"
.field public static top:Lscreens/MainActivity;
.field public static listeners:Ljava/util/ArrayList;

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 6
 .line 10
 new-instance v0, Lscreens/MainActivity;
 const/4 v1, 0x1
 invoke-direct {v0, v1}, Lscreens/MainActivity;-><init>(I)V
 sput-object v0, Lscreens/Screens;->top:Lscreens/MainActivity;
 .line 12
 new-instance v2, Lscreens/MainActivity;
 invoke-direct {v2, p0}, Lscreens/MainActivity;-><init>(I)V
 invoke-virtual {v2}, Landroid/app/Activity;->performDestroy()V
 new-instance v3, Lscreens/MainActivity;
 invoke-direct {v3, v1}, Lscreens/MainActivity;-><init>(I)V
 invoke-virtual {v3}, Landroid/app/Activity;->performDestroy()V
 const/4 v3, 0x0
 .line 15
 new-instance v4, Ljava/util/ArrayList;
 invoke-direct {v4}, Ljava/util/ArrayList;-><init>()V
 sput-object v4, Lscreens/Screens;->listeners:Ljava/util/ArrayList;
 const/4 v1, 0x4
 new-array v5, v1, [Ljava/lang/Object;
 iput-object v5, v4, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 iput v1, v4, Ljava/util/ArrayList;->size:I
 const/4 v1, 0x0
 aput-object v2, v5, v1
 .line 20
 const/4 v2, 0x0
 new-instance v2, Lscreens/ListFragment;
 invoke-direct {v2}, Lscreens/ListFragment;-><init>()V
 invoke-virtual {v2, v4}, Landroidx/fragment/app/Fragment;->performAttach(Ljava/lang/Object;)V
 const/4 v1, 0x1
 aput-object v2, v5, v1
 new-instance v2, Lscreens/ListFragment;
 invoke-direct {v2}, Lscreens/ListFragment;-><init>()V
 invoke-virtual {v2, v3}, Landroidx/fragment/app/Fragment;->performAttach(Ljava/lang/Object;)V
 const/4 v1, 0x2
 aput-object v2, v5, v1
 new-instance v2, Lscreens/ListFragment;
 invoke-direct {v2}, Lscreens/ListFragment;-><init>()V
 const/4 v1, 0x3
 aput-object v2, v5, v1
 .line 30
 const/4 v0, 0x1
 invoke-static {v0}, Lscreens/Screens;->crash(I)V
 .line 31
 return-void
.end method
