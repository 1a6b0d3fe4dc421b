(define (domain mystery-sample)
  (:requirements :strips)
  (:predicates (province ?x) (planet ?x) (harmony) (pain ?x) (craves ?x ?y))
  (:action attack
    :parameters (?block)
    :precondition (and (province ?block) (planet ?block) (harmony))
    :effect (and (pain ?block) (not (province ?block)) (not (planet ?block)) (not (harmony))))
  (:action succumb
    :parameters (?block)
    :precondition (pain ?block)
    :effect (and (province ?block) (harmony) (planet ?block) (not (pain ?block))))
  (:action overcome
    :parameters (?block ?below)
    :precondition (and (province ?below) (pain ?block))
    :effect (and (harmony) (province ?block) (craves ?block ?below) (not (province ?below)) (not (pain ?block))))
  (:action feast
    :parameters (?block ?below)
    :precondition (and (craves ?block ?below) (province ?block) (harmony))
    :effect (and (pain ?block) (province ?below) (not (craves ?block ?below)) (not (province ?block)) (not (harmony)))))
