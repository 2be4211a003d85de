# A class of another dex file, or of another class loader.
.class public Lextra/Far;
.super Llib/Task;
.source "Far.java"
.field public static message:Ljava/lang/String;

.method static constructor <clinit>()V
 .locals 1
 .line 4
 const-string v0, "from the other dex file"
 sput-object v0, Lextra/Far;->message:Ljava/lang/String;
 return-void
.end method

.method public constructor <init>()V
 .locals 0
 .line 7
 invoke-direct {p0}, Llib/Task;-><init>()V
 return-void
.end method

# calls back into the first dex file
.method public work()V
 .locals 1
 .line 12
 iget-object v0, p0, Lextra/Far;->hook:Ljava/lang/Runnable;
 .line 13
 invoke-interface {v0}, Ljava/lang/Runnable;->run()V
 .line 14
 return-void
.end method
