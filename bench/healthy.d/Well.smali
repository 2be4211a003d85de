# main(n): a process of ART that is well. n says what its threads do:
#  0 main waits on an object
#  1 main sleeps        2 main computes       3 main makes garbage, for the collector
#  4 "saver" holds a lock and sleeps, "reader" waits for that lock, main waits on an object
#  5 main waits for a while, again and again  6 "worker" computes, main waits on an object
#  7 an exception was caught, main sleeps
.class public Lwell/Well;
.super Ljava/lang/Object;
.source "Well.java"
.implements Ljava/lang/Runnable;
.field public static lock:Ljava/lang/Object;
.field public static kept:Ljava/lang/Object;
.field public static flags:[Z
.field public what:I

.method public constructor <init>(I)V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput p1, p0, Lwell/Well;->what:I
 return-void
.end method

.method public static start(ILjava/lang/String;)V
 .locals 1
 .line 5
 new-instance v0, Lwell/Well;
 invoke-direct {v0, p0}, Lwell/Well;-><init>(I)V
 invoke-static {v0, p1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 return-void
.end method

.method public static main(I)V
 .locals 3
 .line 10
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Lwell/Well;->lock:Ljava/lang/Object;
 const/4 v0, 0x1
 new-array v1, v0, [Z
 sput-object v1, Lwell/Well;->flags:[Z
 packed-switch p0, :table
 :rest
 .line 12
 invoke-static {}, Lwell/Well;->rest()V
 return-void
 :sleep
 .line 14
 const v0, 0xf4240
 invoke-static {v0}, Llib/Start;->pause(I)V
 return-void
 :compute
 .line 16
 invoke-static {}, Lwell/Well;->compute()V
 return-void
 :garbage
 .line 18
 const/16 v0, 0x1000
 new-array v0, v0, [I
 sput-object v0, Lwell/Well;->kept:Ljava/lang/Object;
 goto :garbage
 :saving
 .line 20
 const/4 v0, 0x1
 const-string v1, "saver"
 invoke-static {v0, v1}, Lwell/Well;->start(ILjava/lang/String;)V
 sget-object v1, Lwell/Well;->flags:[Z
 invoke-static {v1}, Llib/Start;->until([Z)V
 const/4 v0, 0x2
 const-string v1, "reader"
 invoke-static {v0, v1}, Lwell/Well;->start(ILjava/lang/String;)V
 goto :rest
 :ticks
 .line 25
 const/4 v0, 0x5
 invoke-static {v0}, Llib/Start;->pause(I)V
 goto :ticks
 :worker
 .line 27
 const/4 v0, 0x3
 const-string v1, "worker"
 invoke-static {v0, v1}, Lwell/Well;->start(ILjava/lang/String;)V
 goto :rest
 :caught
 .line 30
 :s
 const/4 v0, 0x0
 div-int v0, p0, v0
 :e
 goto :sleep
 .catch Ljava/lang/ArithmeticException; {:s .. :e} :h
 :h
 move-exception v0
 sput-object v0, Lwell/Well;->kept:Ljava/lang/Object;
 goto :sleep
 :table
 .packed-switch 0x0
  :rest
  :sleep
  :compute
  :garbage
  :saving
  :ticks
  :worker
  :caught
 .end packed-switch
.end method

.method public static rest()V
 .locals 2
 .line 40
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 monitor-enter v0
 :s
 invoke-virtual {v0}, Ljava/lang/Object;->wait()V
 monitor-exit v0
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v1
 monitor-exit v0
 throw v1
.end method

.method public static compute()V
 .locals 2
 .line 50
 const/4 v0, 0x1
 :again
 mul-int/lit8 v0, v0, 0x3
 add-int/lit8 v0, v0, 0x1
 goto :again
.end method

.method public run()V
 .locals 3
 .line 60
 iget v0, p0, Lwell/Well;->what:I
 const/4 v1, 0x3
 if-ne v0, v1, :locks
 invoke-static {}, Lwell/Well;->compute()V
 return-void
 :locks
 .line 63
 sget-object v1, Lwell/Well;->lock:Ljava/lang/Object;
 monitor-enter v1
 :s
 sget-object v0, Lwell/Well;->flags:[Z
 const/4 v2, 0x1
 const/4 p0, 0x0
 aput-boolean v2, v0, p0
 const v0, 0xf4240
 invoke-static {v0}, Llib/Start;->pause(I)V
 monitor-exit v1
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v0
 monitor-exit v1
 throw v0
.end method
