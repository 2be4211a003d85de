package lib;
public class N { public static native void say(String s); }
