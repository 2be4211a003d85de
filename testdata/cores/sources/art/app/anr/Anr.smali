# main waits for a lock that "saver" holds while it sleeps. "watchdog" is the thread that
# has the process killed.
.class public Lanr/Anr;
.super Ljava/lang/Object;
.source "Anr.java"
.implements Ljava/lang/Runnable;
.field public static database:Ljava/lang/Object;
.field public static flags:[Z
.field public saves:Z

.method public static native crash(I)V
.end method

.method public constructor <init>(Z)V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-boolean p1, p0, Lanr/Anr;->saves:Z
 return-void
.end method

.method public static main(I)V
 .locals 3
 .line 10
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Lanr/Anr;->database:Ljava/lang/Object;
 const/4 v0, 0x1
 new-array v1, v0, [Z
 sput-object v1, Lanr/Anr;->flags:[Z
 new-instance v1, Lanr/Anr;
 invoke-direct {v1, v0}, Lanr/Anr;-><init>(Z)V
 const-string v2, "saver"
 invoke-static {v1, v2}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 15
 sget-object v1, Lanr/Anr;->flags:[Z
 invoke-static {v1}, Llib/Start;->until([Z)V
 const/4 v0, 0x0
 new-instance v1, Lanr/Anr;
 invoke-direct {v1, v0}, Lanr/Anr;-><init>(Z)V
 const-string v2, "watchdog"
 invoke-static {v1, v2}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 18
 invoke-static {}, Lanr/Anr;->draw()V
 .line 19
 return-void
.end method

.method public static draw()V
 .locals 1
 .line 25
 sget-object v0, Lanr/Anr;->database:Ljava/lang/Object;
 .line 26
 monitor-enter v0
 .line 27
 monitor-exit v0
 return-void
.end method

.method public run()V
 .locals 1
 .line 30
 iget-boolean v0, p0, Lanr/Anr;->saves:Z
 if-eqz v0, :watch
 .line 31
 invoke-static {}, Lanr/Anr;->save()V
 return-void
 :watch
 .line 33
 const/16 v0, 0x1f4
 invoke-static {v0}, Llib/Start;->pause(I)V
 const/4 v0, 0x1
 .line 34
 invoke-static {v0}, Lanr/Anr;->crash(I)V
 return-void
.end method

.method public static save()V
 .locals 4
 .line 40
 sget-object v0, Lanr/Anr;->database:Ljava/lang/Object;
 .line 41
 monitor-enter v0
 :s
 .line 42
 sget-object v1, Lanr/Anr;->flags:[Z
 const/4 v2, 0x0
 const/4 v3, 0x1
 aput-boolean v3, v1, v2
 .line 43
 const v3, 0xea60
 invoke-static {v3}, Llib/Start;->pause(I)V
 monitor-exit v0
 :e
 .catchall {:s .. :e} :h
 .line 44
 return-void
 :h
 move-exception v1
 monitor-exit v0
 throw v1
.end method
