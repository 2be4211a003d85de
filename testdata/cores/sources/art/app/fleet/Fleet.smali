# main(n) starts n threads of four kinds at eight depths: t000, t001, ...
.class public Lfleet/Fleet;
.super Ljava/lang/Object;
.source "Fleet.java"
.implements Ljava/lang/Runnable;
.field public static all:[Z
.field public static queue:Ljava/lang/Object;
.field public number:I

.method public static native crash(I)V
.end method
.method public static native parkNative()V
.end method

.method public constructor <init>(I)V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput p1, p0, Lfleet/Fleet;->number:I
 return-void
.end method

.method public static main(I)V
 .locals 3
 .line 10
 new-array v0, p0, [Z
 sput-object v0, Lfleet/Fleet;->all:[Z
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Lfleet/Fleet;->queue:Ljava/lang/Object;
 const/4 v0, 0x0
 :next
 if-ge v0, p0, :started
 .line 12
 new-instance v1, Lfleet/Fleet;
 invoke-direct {v1, v0}, Lfleet/Fleet;-><init>(I)V
 invoke-static {v0}, Lfleet/Fleet;->name(I)Ljava/lang/String;
 move-result-object v2
 invoke-static {v1, v2}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 add-int/lit8 v0, v0, 0x1
 goto :next
 :started
 .line 15
 sget-object v0, Lfleet/Fleet;->all:[Z
 invoke-static {v0}, Llib/Start;->until([Z)V
 const/16 v0, 0x1f4
 invoke-static {v0}, Llib/Start;->pause(I)V
 .line 16
 const/4 v0, 0x3
 invoke-static {v0}, Lfleet/Fleet;->crash(I)V
 .line 17
 return-void
.end method

.method public static name(I)Ljava/lang/String;
 .locals 5
 .line 20
 const/4 v0, 0x4
 new-array v1, v0, [C
 const/16 v2, 0x74
 const/4 v3, 0x0
 aput-char v2, v1, v3
 const/4 v3, 0x3
 :digit
 if-lez v3, :done
 rem-int/lit8 v2, p0, 0xa
 add-int/lit8 v2, v2, 0x30
 int-to-char v2, v2
 aput-char v2, v1, v3
 div-int/lit8 p0, p0, 0xa
 add-int/lit8 v3, v3, -0x1
 goto :digit
 :done
 .line 25
 const/4 v3, 0x0
 invoke-static {v3, v0, v1}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;
 move-result-object v0
 return-object v0
.end method

.method public run()V
 .locals 2
 .line 30
 iget v0, p0, Lfleet/Fleet;->number:I
 rem-int/lit8 v1, v0, 0x8
 invoke-virtual {p0, v1}, Lfleet/Fleet;->dive(I)V
 .line 31
 return-void
.end method

.method public dive(I)V
 .locals 4
 .line 35
 if-lez p1, :bottom
 .line 36
 add-int/lit8 v0, p1, -0x1
 invoke-virtual {p0, v0}, Lfleet/Fleet;->dive(I)V
 return-void
 :bottom
 .line 38
 sget-object v0, Lfleet/Fleet;->all:[Z
 iget v1, p0, Lfleet/Fleet;->number:I
 const/4 v2, 0x1
 aput-boolean v2, v0, v1
 .line 40
 sget-object v3, Lfleet/Fleet;->queue:Ljava/lang/Object;
 rem-int/lit8 v0, v1, 0x3
 packed-switch v0, :table
 :wait
 .line 42
 monitor-enter v3
 :s
 invoke-virtual {v3}, Ljava/lang/Object;->wait()V
 monitor-exit v3
 :e
 return-void
 .catchall {:s .. :e} :h
 :h
 move-exception v0
 monitor-exit v3
 throw v0
 :park
 .line 46
 invoke-static {}, Lfleet/Fleet;->parkNative()V
 return-void
 :sleep
 .line 48
 const v0, 0xf4240
 invoke-static {v0}, Llib/Start;->pause(I)V
 return-void
 :table
 .packed-switch 0x0
  :wait
  :park
  :sleep
 .end packed-switch
.end method
