.class public Llocks/Grabber;
.super Ljava/lang/Object;
.source "Grabber.java"
.implements Ljava/lang/Runnable;
.field public mine:Ljava/lang/Object;
.field public wanted:Ljava/lang/Object;

.method public constructor <init>(Ljava/lang/Object;Ljava/lang/Object;)V
 .locals 0
 .line 5
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Llocks/Grabber;->mine:Ljava/lang/Object;
 iput-object p2, p0, Llocks/Grabber;->wanted:Ljava/lang/Object;
 return-void
.end method

.method public static begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
 .locals 1
 .line 10
 new-instance v0, Llocks/Grabber;
 invoke-direct {v0, p1, p2}, Llocks/Grabber;-><init>(Ljava/lang/Object;Ljava/lang/Object;)V
 invoke-static {v0, p0}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 return-void
.end method

.method public run()V
 .locals 2
 .line 20
 iget-object v0, p0, Llocks/Grabber;->mine:Ljava/lang/Object;
 monitor-enter v0
 :s
 .line 21
 invoke-virtual {p0}, Llocks/Grabber;->tell()V
 .line 22
 invoke-virtual {p0}, Llocks/Grabber;->second()V
 .line 23
 monitor-exit v0
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v1
 monitor-exit v0
 throw v1
.end method

.method public second()V
 .locals 2
 .line 30
 iget-object v0, p0, Llocks/Grabber;->wanted:Ljava/lang/Object;
 .line 31
 monitor-enter v0
 .line 32
 monitor-exit v0
 return-void
.end method

# sets this thread's flag, and returns when the others of its party have theirs
.method public tell()V
 .locals 4
 .line 40
 iget-object v0, p0, Llocks/Grabber;->mine:Ljava/lang/Object;
 sget-object v1, Llocks/Locks;->pair:[Z
 const/4 v2, 0x1
 const/4 v3, 0x0
 sget-object p0, Llocks/Locks;->a:Ljava/lang/Object;
 if-eq v0, p0, :set
 add-int/lit8 v3, v3, 0x1
 sget-object p0, Llocks/Locks;->b:Ljava/lang/Object;
 if-eq v0, p0, :set
 sget-object v1, Llocks/Locks;->ring:[Z
 const/4 v3, 0x0
 sget-object p0, Llocks/Locks;->x:Ljava/lang/Object;
 if-eq v0, p0, :set
 add-int/lit8 v3, v3, 0x1
 sget-object p0, Llocks/Locks;->y:Ljava/lang/Object;
 if-eq v0, p0, :set
 add-int/lit8 v3, v3, 0x1
 sget-object p0, Llocks/Locks;->z:Ljava/lang/Object;
 if-eq v0, p0, :set
 return-void
 :set
 .line 45
 aput-boolean v2, v1, v3
 invoke-static {v1}, Llib/Start;->until([Z)V
 .line 46
 return-void
.end method
