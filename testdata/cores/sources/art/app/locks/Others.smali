.class public Llocks/Others;
.super Ljava/lang/Object;
.source "Others.java"
.implements Ljava/lang/Runnable;
.field public kind:I

.method public constructor <init>(I)V
 .locals 0
 .line 5
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput p1, p0, Llocks/Others;->kind:I
 return-void
.end method

.method public static begin(Ljava/lang/String;I)V
 .locals 1
 .line 10
 new-instance v0, Llocks/Others;
 invoke-direct {v0, p1}, Llocks/Others;-><init>(I)V
 invoke-static {v0, p0}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 return-void
.end method

.method public run()V
 .locals 3
 .line 20
 iget v0, p0, Llocks/Others;->kind:I
 packed-switch v0, :table
 return-void
 :bystander
 .line 22
 sget-object v1, Llocks/Locks;->a:Ljava/lang/Object;
 .line 23
 monitor-enter v1
 monitor-exit v1
 return-void
 :waiter
 .line 25
 sget-object v1, Llocks/Locks;->queue:Ljava/lang/Object;
 monitor-enter v1
 :s
 .line 26
 const-wide/32 v2, 0xea60
 invoke-static {v1}, Llocks/Others;->waits(Ljava/lang/Object;)V
 monitor-exit v1
 :e
 .catchall {:s .. :e} :h
 return-void
 :h
 move-exception v0
 monitor-exit v1
 throw v0
 :holder
 .line 30
 const/4 v0, 0x3
 sget-object v1, Llocks/Locks;->thin:Ljava/lang/Object;
 invoke-static {v0, v1}, Llocks/Others;->again(ILjava/lang/Object;)V
 return-void
 :table
 .packed-switch 0x0
  :bystander
  :waiter
  :holder
 .end packed-switch
.end method

.method public static waits(Ljava/lang/Object;)V
 .locals 3
 .line 40
 const-wide/32 v0, 0xea60
 const/4 v2, 0x0
 invoke-virtual {p0, v0, v1, v2}, Ljava/lang/Object;->wait(JI)V
 .line 41
 return-void
.end method

# the same lock at three depths
.method public static again(ILjava/lang/Object;)V
 .locals 2
 .line 50
 monitor-enter p1
 :s
 .line 51
 add-int/lit8 v0, p0, -0x1
 if-gtz v0, :deeper
 .line 52
 invoke-static {}, Llocks/Locks;->parkNative()V
 goto :out
 :deeper
 .line 54
 invoke-static {v0, p1}, Llocks/Others;->again(ILjava/lang/Object;)V
 :out
 .line 55
 monitor-exit p1
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v1
 monitor-exit p1
 throw v1
.end method
