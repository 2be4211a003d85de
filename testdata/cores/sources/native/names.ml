(* Names of OCaml: functions of a module, one of them an operator, that call each other. The last one
   sends the process a signal. *)
module Shop = struct
  let crash n = Unix.kill (Unix.getpid ()) Sys.sigabrt; n
  let rec ship n = if n = 0 then 1 + crash n else 1 + ship (n - 1)
end
let ( +! ) a b = a + Shop.ship b
let handle n = 1 + (n +! 2)
let () = print_int (handle (Array.length Sys.argv))
