# Who holds what: two threads and three threads that wait for each other, one that
# waits for them, two in Object.wait, one that holds a lock three times.
.class public Llocks/Locks;
.super Ljava/lang/Object;
.source "Locks.java"
.field public static a:Ljava/lang/Object;
.field public static b:Ljava/lang/Object;
.field public static x:Ljava/lang/Object;
.field public static y:Ljava/lang/Object;
.field public static z:Ljava/lang/Object;
.field public static queue:Ljava/lang/Object;
.field public static thin:Ljava/lang/Object;
.field public static pair:[Z
.field public static ring:[Z

.method static constructor <clinit>()V
 .locals 1
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->a:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->b:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->x:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->y:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->z:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->queue:Ljava/lang/Object;
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Llocks/Locks;->thin:Ljava/lang/Object;
 const/4 v0, 0x2
 new-array v0, v0, [Z
 sput-object v0, Llocks/Locks;->pair:[Z
 const/4 v0, 0x3
 new-array v0, v0, [Z
 sput-object v0, Llocks/Locks;->ring:[Z
 return-void
.end method

.method public static native crash(I)V
.end method
.method public static native parkNative()V
.end method

.method public static main(I)V
 .locals 3
 .line 10
 const-string v0, "pair-1"
 sget-object v1, Llocks/Locks;->a:Ljava/lang/Object;
 sget-object v2, Llocks/Locks;->b:Ljava/lang/Object;
 invoke-static {v0, v1, v2}, Llocks/Grabber;->begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
 const-string v0, "pair-2"
 sget-object v1, Llocks/Locks;->b:Ljava/lang/Object;
 sget-object v2, Llocks/Locks;->a:Ljava/lang/Object;
 invoke-static {v0, v1, v2}, Llocks/Grabber;->begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
 const-string v0, "ring-1"
 sget-object v1, Llocks/Locks;->x:Ljava/lang/Object;
 sget-object v2, Llocks/Locks;->y:Ljava/lang/Object;
 invoke-static {v0, v1, v2}, Llocks/Grabber;->begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
 const-string v0, "ring-2"
 sget-object v1, Llocks/Locks;->y:Ljava/lang/Object;
 sget-object v2, Llocks/Locks;->z:Ljava/lang/Object;
 invoke-static {v0, v1, v2}, Llocks/Grabber;->begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
 const-string v0, "ring-3"
 sget-object v1, Llocks/Locks;->z:Ljava/lang/Object;
 sget-object v2, Llocks/Locks;->x:Ljava/lang/Object;
 invoke-static {v0, v1, v2}, Llocks/Grabber;->begin(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V

 .line 20
 sget-object v0, Llocks/Locks;->pair:[Z
 invoke-static {v0}, Llib/Start;->until([Z)V
 sget-object v0, Llocks/Locks;->ring:[Z
 invoke-static {v0}, Llib/Start;->until([Z)V
 .line 22
 const-string v0, "bystander"
 const/4 v1, 0x0
 invoke-static {v0, v1}, Llocks/Others;->begin(Ljava/lang/String;I)V
 const-string v0, "waiter-1"
 const/4 v1, 0x1
 invoke-static {v0, v1}, Llocks/Others;->begin(Ljava/lang/String;I)V
 const-string v0, "waiter-2"
 const/4 v1, 0x1
 invoke-static {v0, v1}, Llocks/Others;->begin(Ljava/lang/String;I)V
 const-string v0, "holder"
 const/4 v1, 0x2
 invoke-static {v0, v1}, Llocks/Others;->begin(Ljava/lang/String;I)V
 .line 30
 const/16 v0, 0x190
 invoke-static {v0}, Llib/Start;->pause(I)V
 .line 31
 const-class v1, Llocks/Locks;
 monitor-enter v1
 :s
 .line 32
 const/4 v0, 0x1
 invoke-static {v0}, Llocks/Locks;->crash(I)V
 .line 33
 monitor-exit v1
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v0
 monitor-exit v1
 throw v0
.end method
