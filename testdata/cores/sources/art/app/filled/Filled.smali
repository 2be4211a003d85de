# The thread "recorder" puts events into a list that a static field holds until there is
# no memory for a longer one. Nobody catches the OutOfMemoryError: the default handler
# says what it is, and gives up in native code.
.class public Lfilled/Filled;
.super Ljava/lang/Object;
.source "Filled.java"
.implements Ljava/lang/Runnable;
.implements Ljava/lang/Thread$UncaughtExceptionHandler;
.field public static events:Ljava/util/ArrayList;

.method public static native crash(I)V
.end method
.method public static native describe(Ljava/lang/Throwable;)V
.end method
.method public static native parkNative()V
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 2
 .line 10
 new-instance v0, Ljava/util/ArrayList;
 invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
 sput-object v0, Lfilled/Filled;->events:Ljava/util/ArrayList;
 new-instance v0, Lfilled/Filled;
 invoke-direct {v0}, Lfilled/Filled;-><init>()V
 sput-object v0, Ljava/lang/Thread;->defaultUncaughtExceptionHandler:Ljava/lang/Thread$UncaughtExceptionHandler;
 const-string v1, "recorder"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 14
 invoke-static {}, Lfilled/Filled;->parkNative()V
 .line 15
 return-void
.end method

.method public run()V
 .locals 0
 .line 20
 :again
 invoke-static {}, Lfilled/Filled;->record()V
 goto :again
.end method

# record() adds an event, after it has doubled the list if that is full.
.method public static record()V
 .locals 6
 .line 30
 sget-object v0, Lfilled/Filled;->events:Ljava/util/ArrayList;
 iget-object v1, v0, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 iget v2, v0, Ljava/util/ArrayList;->size:I
 if-nez v1, :full
 .line 32
 const/16 v3, 0x400
 new-array v1, v3, [Ljava/lang/Object;
 iput-object v1, v0, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 :full
 array-length v3, v1
 if-lt v2, v3, :room
 .line 34
 mul-int/lit8 v3, v3, 0x2
 new-array v4, v3, [Ljava/lang/Object;
 const/4 v3, 0x0
 :copy
 if-ge v3, v2, :copied
 aget-object v5, v1, v3
 aput-object v5, v4, v3
 add-int/lit8 v3, v3, 0x1
 goto :copy
 :copied
 .line 36
 iput-object v4, v0, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 move-object v1, v4
 :room
 .line 38
 new-instance v3, Lfilled/Event;
 invoke-direct {v3}, Lfilled/Event;-><init>()V
 aput-object v3, v1, v2
 add-int/lit8 v2, v2, 0x1
 iput v2, v0, Ljava/util/ArrayList;->size:I
 .line 39
 return-void
.end method

.method public uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V
 .locals 1
 .line 50
 invoke-static {p2}, Lfilled/Filled;->describe(Ljava/lang/Throwable;)V
 .line 51
 const/4 v0, 0x1
 invoke-static {v0}, Lfilled/Filled;->crash(I)V
 .line 52
 return-void
.end method
