# A class loader of its own: extra.Far comes from extra.dex by PathClassLoader.
.class public Lloader/Loader;
.super Ljava/lang/Object;
.source "Loader.java"
.implements Ljava/lang/Runnable;
.field public static loader:Ljava/lang/ClassLoader;
.field public static file:Ldalvik/system/DexFile;

.method public static native crash(I)V
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 7
 .line 10
 new-instance v0, Ldalvik/system/PathClassLoader;
 invoke-direct {v0}, Ldalvik/system/PathClassLoader;-><init>()V
 sput-object v0, Lloader/Loader;->loader:Ljava/lang/ClassLoader;
 .line 11
 new-instance v1, Ldalvik/system/DexFile;
 invoke-direct {v1}, Ldalvik/system/DexFile;-><init>()V
 sput-object v1, Lloader/Loader;->file:Ldalvik/system/DexFile;
 const-string v2, "extra.dex"
 iput-object v2, v1, Ldalvik/system/DexFile;->mFileName:Ljava/lang/String;
 .line 12
 const/4 v3, 0x0
 const/4 v4, 0x0
 move-object v5, v0
 const/4 v6, 0x0
 invoke-static/range {v2 .. v6}, Ldalvik/system/DexFile;->openDexFileNative(Ljava/lang/String;Ljava/lang/String;ILjava/lang/ClassLoader;[Ldalvik/system/DexPathList$Element;)Ljava/lang/Object;
 move-result-object v3
 iput-object v3, v1, Ldalvik/system/DexFile;->mCookie:Ljava/lang/Object;
 .line 13
 const-string v4, "extra/Far"
 invoke-static {v4, v0, v3, v1}, Ldalvik/system/DexFile;->defineClassNative(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Object;Ldalvik/system/DexFile;)Ljava/lang/Class;
 move-result-object v4
 .line 14
 invoke-virtual {v4}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
 move-result-object v4
 check-cast v4, Llib/Task;
 .line 15
 new-instance v5, Lloader/Loader;
 invoke-direct {v5}, Lloader/Loader;-><init>()V
 iput-object v5, v4, Llib/Task;->hook:Ljava/lang/Runnable;
 .line 16
 invoke-virtual {v4}, Llib/Task;->work()V
 .line 17
 return-void
.end method

.method public run()V
 .locals 1
 .line 21
 const/4 v0, 0x5
 invoke-static {v0}, Lloader/Loader;->crash(I)V
 .line 22
 return-void
.end method
