.class public Ldemo/Demo;
.super Ljava/lang/Object;
.source "Demo.java"
.field public static lock:Ljava/lang/Object;

.method static constructor <clinit>()V
 .locals 1
 .line 5
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Ldemo/Demo;->lock:Ljava/lang/Object;
 return-void
.end method

.method public static native crash(I)V
.end method
.method public static native viaNative(I)I
.end method
.method public static native parkNative()V
.end method

.method public static main(I)V
 .locals 3
 .line 10
 const-string v0, "waiter"
 const/4 v1, 0x0
 invoke-static {v0, v1}, Ldemo/Worker;->begin(Ljava/lang/String;I)V
 .line 11
 const-string v0, "sleeper"
 const/4 v1, 0x1
 invoke-static {v0, v1}, Ldemo/Worker;->begin(Ljava/lang/String;I)V
 .line 12
 const-string v0, "native-park"
 const/4 v1, 0x3
 invoke-static {v0, v1}, Ldemo/Worker;->begin(Ljava/lang/String;I)V
 .line 13
 sget-object v2, Ldemo/Demo;->lock:Ljava/lang/Object;
 const-wide/16 v0, 0x12c
 invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
 .line 14
 monitor-enter v2
 :try_s
 .line 15
 const-string v0, "blocked"
 const/4 v1, 0x2
 invoke-static {v0, v1}, Ldemo/Worker;->begin(Ljava/lang/String;I)V
 .line 16
 const-string v0, "spinner"
 const/4 v1, 0x4
 invoke-static {v0, v1}, Ldemo/Worker;->begin(Ljava/lang/String;I)V
 const-wide/16 v0, 0x12c
 invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
 .line 20
 const/4 v0, 0x7
 invoke-static {v0}, Ldemo/Demo;->first(I)I
 .line 21
 monitor-exit v2
 :try_e
 .line 22
 return-void
 .catchall {:try_s .. :try_e} :h
 :h
 move-exception v0
 monitor-exit v2
 throw v0
.end method

.method public static first(I)I
 .locals 2
 .line 30
 add-int/lit8 v0, p0, 0x1
 .line 31
 const-string v1, "hello core"
 invoke-static {v0, v1}, Ldemo/Demo;->second(ILjava/lang/String;)I
 move-result v0
 .line 32
 return v0
.end method

.method public static second(ILjava/lang/String;)I
 .locals 1
 .line 40
 if-lez p0, :zero
 .line 42
 invoke-static {p0}, Ldemo/Demo;->viaNative(I)I
 move-result v0
 .line 43
 return v0
 :zero
 .line 45
 const/4 v0, 0x0
 return v0
.end method

.method public static callback(I)I
 .locals 2
 .line 50
 new-instance v0, Ldemo/Demo$Inner;
 invoke-direct {v0, p0}, Ldemo/Demo$Inner;-><init>(I)V
 .line 51
 const/4 v1, 0x3
 invoke-virtual {v0, v1}, Ldemo/Demo$Inner;->recurse(I)I
 move-result v1
 .line 52
 return v1
.end method
