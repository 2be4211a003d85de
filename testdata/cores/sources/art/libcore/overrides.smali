# Methods of libcore that want more of a process than these have: class paths, properties, ICU. See libcore.py.
.class Ljava/lang/ClassLoader;
.method private static createSystemClassLoader()Ljava/lang/ClassLoader;
 .registers 1
 invoke-static {}, Ljava/lang/BootClassLoader;->getInstance()Ljava/lang/BootClassLoader;
 move-result-object v0
 return-object v0
.end method
.class Ljava/lang/System;
.method static constructor <clinit>()V
 .registers 1
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 sput-object v0, Ljava/lang/System;->LOCK:Ljava/lang/Object;
 new-instance v0, Ljava/util/Properties;
 invoke-direct {v0}, Ljava/util/Properties;-><init>()V
 sput-object v0, Ljava/lang/System;->props:Ljava/util/Properties;
 return-void
.end method
.class Ljava/lang/Runtime;
.method public native availableProcessors()I
.end method
.class Ljava/io/FileDescriptor;
.method static constructor <clinit>()V
 .registers 0
 return-void
.end method
